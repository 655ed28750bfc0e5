/** Lets the browser save data as a file of this name. */
export function saveFile(data: Blob, name: string): void {
  const url = URL.createObjectURL(data);
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  // The browser may still read from the URL while it saves.
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}
