import { buy, createLicensing, restore, trial } from './licensing.js';
import { config } from './config.js';

const licensing = createLicensing(config);
const element = (id) => document.getElementById(id);

async function show({ isActive, isTrial, isOffline, reason, seats }) {
  element('state').textContent = isActive ? (isOffline ? 'active, offline' : 'active') : 'inactive';
  element('state').dataset.reason = reason;
  element('unlicensed').hidden = isActive && !isTrial;
  element('trial').hidden = isActive;
  element('release').hidden = !isActive || isTrial;
  element('tabs').hidden = !isActive;
  if (isActive) element('tabs').textContent = `${(await chrome.tabs.query({})).length} tabs are open.`;
  if (seats !== null) element('message').textContent = `${seats.used} of ${seats.max} devices`;
}

/** Runs a button's action, then shows the license's state or the error. */
async function act(work) {
  try {
    element('message').textContent = '';
    await show(await work());
  } catch (error) {
    element('message').textContent = error.message;
  }
}

element('trial').addEventListener('click', () => {
  void act(() => trial(licensing));
});
element('buy').addEventListener('click', () => {
  void act(async () => (await buy(licensing, { tier: config.tier })).state);
});
element('restore').addEventListener('submit', (event) => {
  event.preventDefault();
  void act(async () => {
    const { number, state } = await restore(licensing, { email: element('email').value });
    element('message').textContent = `Open the link in your mail. It shows the number ${number}.`;
    return state;
  });
});
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
