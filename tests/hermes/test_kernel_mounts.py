from pathlib import Path

import pytest

from hermesweb.hermes.mounts import Mount, mount_of, mounts_below

MOUNTINFO = r"""22 1 0:21 / / rw,relatime shared:1 - ext4 /dev/vda rw
30 22 0:44 / /mnt rw - ext4 /dev/vdb rw
31 30 0:45 / /mnt/two\040words rw shared:2 master:1 - nfs4 server:/x rw
32 22 0:46 / /over rw - ext4 /dev/vdc rw
33 22 0:47 / /over rw - btrfs /dev/vdd rw
34 22 0:48 / /mn rw - cifs //x/y rw
broken line
35 22
"""


@pytest.fixture
def mountinfo(tmp_path: Path) -> Path:
    (tmp_path / "mountinfo").write_text(MOUNTINFO)
    return tmp_path / "mountinfo"


@pytest.mark.parametrize(
    ("folder", "point", "kind"),
    [
        ("/", "/", "ext4"),
        ("/home/sam", "/", "ext4"),
        ("/mnt/a", "/mnt", "ext4"),
        ("/mnt/two words/.hermes", "/mnt/two words", "nfs4"),
        ("/over/a", "/over", "btrfs"),
    ],
)
def test_the_mount_of_a_folder(mountinfo: Path, folder: str, point: str, kind: str) -> None:
    assert mount_of(Path(folder), mountinfo) == Mount(Path(point), kind)


def test_behind_a_link(mountinfo: Path, tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to("/mnt/two words")
    found = mount_of(tmp_path / "link/.hermes", mountinfo)
    assert found
    assert found.is_remote


@pytest.mark.parametrize(
    ("kind", "remote"),
    [
        ("ext4", False),
        ("overlay", False),
        ("fuseblk", False),
        ("fuse.gocryptfs", False),
        ("fuse.sshfs", True),
        ("fuse.unheard-of", True),
        ("nfs", True),
        ("cifs", True),
        ("9p", True),
        ("virtiofs", True),
        ("smb", False),
    ],
)
def test_is_remote(kind: str, remote: bool) -> None:
    assert Mount(Path("/"), kind).is_remote == remote


def test_no_list(tmp_path: Path) -> None:
    assert mount_of(tmp_path, tmp_path / "gone") is None
    (tmp_path / "empty").write_text("")
    assert mount_of(tmp_path, tmp_path / "empty") is None


def test_real_one() -> None:
    found = mount_of(Path("/proc/self"))
    assert found == Mount(Path("/proc"), "proc")


def test_what_is_mounted_below_a_folder(tmp_path: Path) -> None:
    home = tmp_path / "home"
    home.mkdir()
    lines = [
        f"1 0 0:1 / {point} rw - ext4 /dev/a rw"
        for point in ("/", home, home / "workspace", home / "a\\040b/c", f"{home}-other", tmp_path)
    ]
    list_ = tmp_path / "mountinfo"
    list_.write_text("\n".join(lines))
    assert mounts_below(home, list_) == ("a b/c", "workspace")
    assert mounts_below(home, tmp_path / "gone") == ()
