from tests.browsing import page_of_browser

__all__ = ["page_of_browser"]
