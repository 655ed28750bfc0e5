import { createLicensing } from './licensing.js';
import { config } from './config.js';

const licensing = createLicensing(config);
const element = (id) => document.getElementById(id);

async function show({ isActive, isOffline, reason, seats }) {
  element('state').textContent = isActive ? (isOffline ? 'active, offline' : 'active') : 'inactive';
  element('state').dataset.reason = reason;
  element('enter').hidden = isActive;
  element('release').hidden = !isActive;
  element('tabs').hidden = !isActive;
  if (isActive) element('tabs').textContent = `${(await chrome.tabs.query({})).length} tabs are open.`;
  element('message').textContent = seats === null ? '' : `${seats.used} of ${seats.max} devices`;
}

/** Runs a button's action, then shows the license's state or the error. */
async function act(work) {
  try {
    await show(await work());
  } catch (error) {
    element('message').textContent = error.message;
  }
}

element('enter').addEventListener('submit', (event) => {
  event.preventDefault();
  void act(() => licensing.activate(element('code').value, navigator.platform));
});
element('release').addEventListener('click', () => {
  void act(async () => {
    await licensing.release();
    return licensing.check();
  });
});
await act(() => licensing.check({ force: true }));
