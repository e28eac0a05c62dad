"""Every place that holds something about a person: the inventory of one profile, and one store of it."""

import time

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from hermesweb.accounts.access import profile_page
from hermesweb.activity.log import record
from hermesweb.activity.models import Action
from hermesweb.hermes.homes import Profile
from hermesweb.hermes.stores.catalogue import store as store_by_id
from hermesweb.hermes.stores.catalogue import stores as all_stores
from hermesweb.privacy.store_page import Asked, inventory_of, row_of, stores_context

DETAIL_SECONDS = 10.0  # of walking for the page of one store


@require_safe
@profile_page
def stores(request: HttpRequest, profile: Profile) -> HttpResponse:
    """What is there, by names and sizes; filters stand in the address, they say nothing private."""
    record(request, Action.VIEWED_STORES, profile)
    return render(request, "stores.html", stores_context(profile, Asked.of(request.GET)))


@require_safe
@profile_page
def store(request: HttpRequest, profile: Profile, store: str) -> HttpResponse:
    """One store: its files, what is known about it, how it is cleared and checked."""
    if store not in {each.id for each in all_stores()}:
        raise Http404
    inventory = inventory_of(profile, time.monotonic() + DETAIL_SECONDS)
    holding = next((each for each in inventory.holdings if each.store.id == store), None)
    if holding is None:
        raise Http404  # root-wide, and this is a named profile
    record(request, Action.VIEWED_STORES, profile, about=store)
    parts = [row_of(each) for each in inventory.holdings if each.store.inside == store]
    context = {"row": row_of(holding), "parts": parts, "inside": store_by_id(store).inside}
    return render(request, "store.html", context)
