import hashlib
import json
from datetime import UTC

from django.db import migrations


def seal(apps, schema_editor):
    """The lines there are already, in the order they were written. As hermesweb.activity.chain does it, which may
    change later; what this migration did may not."""
    activity, chain = apps.get_model("activity", "Activity"), apps.get_model("activity", "Chain")
    number, digest = 0, ""
    for line in activity.objects.order_by("id").iterator():
        number += 1
        at = line.at.astimezone(UTC).isoformat(timespec="microseconds")
        fields = [line.person_id, line.name, line.action, line.home, line.profile, line.address, line.about]
        text = json.dumps([digest, number, at, *fields], separators=(",", ":"))
        digest = hashlib.sha256(text.encode()).hexdigest()
        activity.objects.filter(pk=line.pk).update(number=number, digest=digest)
    chain.objects.create(pk=1, number=number, digest=digest)


class Migration(migrations.Migration):
    """Apart from the change of the table: PostgreSQL does not change one in which rows were changed just before."""

    dependencies = [("activity", "0002_chain")]

    operations = [migrations.RunPython(seal, migrations.RunPython.noop)]
