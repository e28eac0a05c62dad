from typing import Any, NoReturn

from django.conf import settings
from django.core.exceptions import RequestDataTooBig
from django.core.files.uploadhandler import FileUploadHandler


class NoFiles(FileUploadHandler):
    """No form of ours takes a file. Django would write whatever a stranger sends, however large, to a temporary
    one before anything is checked."""

    def handle_raw_input(
        self, input_data: Any, META: Any, content_length: int, boundary: Any, encoding: Any = None
    ) -> None:
        if content_length > (settings.DATA_UPLOAD_MAX_MEMORY_SIZE or 0):
            raise RequestDataTooBig("a form this long")

    def new_file(self, *args: Any, **kwargs: Any) -> NoReturn:
        raise RequestDataTooBig("a file")

    def receive_data_chunk(self, raw_data: bytes, start: int) -> NoReturn:
        raise RequestDataTooBig("a file")

    def file_complete(self, file_size: int) -> None:
        """There is none."""
