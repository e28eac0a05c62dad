from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from hermesweb.accounts.access import profile_page
from hermesweb.activity.log import record
from hermesweb.activity.models import Action
from hermesweb.hermes.errors import Unreadable
from hermesweb.hermes.files import read_file
from hermesweb.hermes.homes import Profile
from hermesweb.sentences import unreadable_sentence
from hermesweb.views import problem
from memory.entries import FILE_NAMES, SIZE_LIMIT, memory_path
from memory.form_data import place_of
from memory.limits import TARGETS
from memory.page import PageState, files_of, memory_context


@require_safe
@profile_page
def memory(request: HttpRequest, profile: Profile) -> HttpResponse:
    """What the next session will be told, entry by entry. `?edit=memory.3` and `?add=user` open a form."""
    record(request, Action.VIEWED_MEMORY, profile)
    editing = place_of(request.GET.get("edit"))
    adding = next((target for target in TARGETS if target == request.GET.get("add")), None)
    state = PageState(editing=editing, adding=None if editing else adding)
    return render(request, "memory.html", memory_context(files_of(profile), state))


@require_safe
@profile_page
def download_memory(request: HttpRequest, profile: Profile, target: str) -> HttpResponse:
    """One memory file, byte for byte, also when it cannot be shown."""
    found = next((one for one in TARGETS if one == target), None)
    if found is None:
        return problem(request, 404, _("There is no such memory file"), _("Nothing was changed."))
    try:
        content = read_file(memory_path(profile, found), root=profile.home.root, limit=SIZE_LIMIT)
    except Unreadable as why:
        return problem(request, 404, _("The file cannot be downloaded"), unreadable_sentence(why))
    record(request, Action.DOWNLOADED_MEMORY, profile, about=found)
    return HttpResponse(
        content,
        content_type="application/octet-stream",
        headers={"Content-Disposition": f'attachment; filename="{FILE_NAMES[found]}"'},
    )
