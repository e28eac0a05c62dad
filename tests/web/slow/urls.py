from django.http import HttpRequest, HttpResponse
from django.urls import path

from hermesweb import urls
from hermesweb.accounts.access import page


@page
def fault(request: HttpRequest) -> HttpResponse:
    words = request.POST.get("word", "velfaultword")
    raise ValueError(f"velexception {words} {request.get_full_path()}")


handler400, handler403 = urls.handler400, urls.handler403
handler404, handler429, handler500 = urls.handler404, urls.handler429, urls.handler500
urlpatterns = [path("fault/", fault, name="fault"), *urls.urlpatterns]
