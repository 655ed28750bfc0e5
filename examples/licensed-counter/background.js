import { createLicensing } from './licensing.js';
import { config } from './config.js';

const licensing = createLicensing(config);

/** Checks the license when the browser starts. The client asks the server about once a day. */
async function wake() {
  const { isActive } = await licensing.check();
  await chrome.action.setBadgeText({ text: isActive ? '' : '?' });
  await licensing.ping({ licensed: isActive });
}

chrome.runtime.onInstalled.addListener(wake);
chrome.runtime.onStartup.addListener(wake);
