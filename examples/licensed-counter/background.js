import { activateByLink, createLicensing } from './licensing.js';
import { config } from './config.js';

const licensing = createLicensing(config);

const show = ({ isActive }) => chrome.action.setBadgeText({ text: isActive ? '' : '?' });

/** Checks the license when the browser starts. The client asks the server about once a day. */
async function wake() {
  const state = await licensing.check();
  await show(state);
  await licensing.ping({ licensed: state.isActive });
}

chrome.runtime.onInstalled.addListener(wake);
chrome.runtime.onStartup.addListener(wake);
// The button of a buyer's mail.
activateByLink(licensing, { onState: show });
