/** Shows the number of open tabs on the badge. */
async function showCount() {
  const tabs = await chrome.tabs.query({});
  await chrome.action.setBadgeText({ text: String(tabs.length) });
}

for (const event of [
  chrome.tabs.onCreated,
  chrome.tabs.onRemoved,
  chrome.runtime.onInstalled,
  chrome.runtime.onStartup,
]) {
  event.addListener(showCount);
}
