"""A real browser, where one is installed."""

import shutil
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from selenium import webdriver

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
DRIVER = shutil.which("chromedriver")


def start_chromium(profile: Path, *flags: str) -> "webdriver.Chrome":
    """Chromium without a window that moves nothing, with its profile in the folder `profile`; `flags` are its own."""
    from selenium import webdriver

    options = webdriver.ChromeOptions()
    assert CHROMIUM is not None
    options.binary_location = CHROMIUM
    for flag in (
        "--headless=new",
        "--no-sandbox",
        "--accept-lang=da",
        "--disable-gpu",
        "--disable-quic",
        "--disable-extensions",
        "--no-first-run",
        "--disable-background-networking",
        "--disable-component-update",
        "--disable-sync",
        "--disable-features=BackForwardCache,SpareRendererForSitePerProcess",  # kept for pages that no test shows again
        "--force-prefers-reduced-motion",
        "--window-size=1280,800",
        f"--user-data-dir={profile}",
        *flags,
    ):
        options.add_argument(flag)
    return webdriver.Chrome(options=options, service=webdriver.ChromeService(DRIVER))


def forget_all(driver: "webdriver.Chrome") -> None:
    """Close all windows but one, and leave it without a page, a cookie or a phone's size."""
    first, *others = driver.window_handles
    for window in others:
        driver.switch_to.window(window)
        driver.close()
    driver.switch_to.window(first)
    driver.get("about:blank")
    driver.execute_cdp_cmd("Network.clearBrowserCookies", {})
    driver.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})
    driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": []})
    driver.set_window_size(1280, 800)
