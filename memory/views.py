from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from hermesweb.accounts.access import profile_page
from hermesweb.activity.log import record
from hermesweb.activity.models import Action
from hermesweb.hermes.homes import Profile
from hermesweb.privacy.copies import copy_of
from hermesweb.privacy.look import look_at_memory, schema_version_of
from memory.presentation import store_view
from memory.switches import provider, write_approval


@require_safe
@profile_page
def memory(request: HttpRequest, profile: Profile) -> HttpResponse:
    """What the next session will be told, entry by entry."""
    record(request, Action.VIEWED_MEMORY, profile)
    schema_version = schema_version_of(profile, copy_of(settings.WORK_FOLDER, profile))
    config, release, stores = look_at_memory(profile, schema_version)
    return render(
        request,
        "memory.html",
        {
            "stores": [store_view(store) for store in stores],
            "release": release,
            "provider": provider(config),
            "write_approval": write_approval(config),
            "config_problem": config.problem,
        },
    )
