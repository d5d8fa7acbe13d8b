"""A page of `bookwork serve`: it reloads when the book was built again."""

import threading

from bookwork.site.serve import open_server


def test_a_page_of_the_book_reloads(window, site):
    with open_server(site, 0) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        page = window().new_page()
        page.goto(f"http://127.0.0.1:{server.server_port}/chapters/welcome.html")
        page.evaluate("() => { window.isOld = true; }")
        server.built += 1
        page.wait_for_function("() => window.isOld === undefined && window.bookWidgets")
        page.close()
        server.shutdown()
