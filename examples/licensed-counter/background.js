import { createLicensing } from './licensing.js';
import { config } from './config.js';

const licensing = createLicensing(config);

/** Asks when the browser starts; in between the client asks by itself about once a day. */
async function wake() {
  const { isActive } = await licensing.check();
  await chrome.action.setBadgeText({ text: isActive ? '' : '?' });
  await licensing.ping();
}

chrome.runtime.onInstalled.addListener(wake);
chrome.runtime.onStartup.addListener(wake);
