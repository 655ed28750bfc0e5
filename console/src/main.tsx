import '../../src/common/http/tokens.css';
import './ui/base.css';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { Problem } from './api';
import { App } from './app';
import { applyScheme } from './frame/scheme';

applyScheme();
const root = document.querySelector('#root');
if (root !== null) {
  // An error that is no fault of the console is shown, and leaves no trace.
  const onCaughtError = (thrown: unknown): void => {
    if (!(thrown instanceof Problem)) reportError(thrown);
  };
  createRoot(root, { onCaughtError }).render(
    <StrictMode>
      <App />
    </StrictMode>,
  );
}
