import '../../src/common/http/tokens.css';
import './ui/base.css';
import { PAGE_NOT_LOADED } from './api/problem';
import { applyScheme } from './scheme';
import { beginStart, isKnown } from './start';

const loadConsole = () => import('./app');
const loadSignIn = () => import('./pages/sign-in/before');

/** So long the first call is waited for; the console then says that it waits. */
const LATE_MS = 1_000;

/** Says that the console could not be loaded. */
const failIn =
  (root: Element) =>
  (thrown: unknown): void => {
    root.setAttribute('role', 'alert');
    root.textContent = `${PAGE_NOT_LOADED.title}. ${PAGE_NOT_LOADED.detail}`;
    reportError(thrown);
  };

/** Shows the log-in page to visitors, and the console to everybody else; it also says why the service does not answer. */
async function show(root: Element, isVisitor: Promise<boolean>): Promise<void> {
  if (!(await isVisitor)) return (await loadConsole()).showConsole(root);
  (await loadSignIn()).showSignIn(root, (me) => {
    loadConsole()
      .then(({ showConsole }) => showConsole(root, me))
      .catch(failIn(root));
  });
}

// This file is small, so that the colours and the first call wait for nothing, and what is wanted probably is loaded meanwhile.
applyScheme();
const late = new Promise<boolean>((resolve) => setTimeout(() => resolve(false), LATE_MS));
const isVisitor = Promise.race([beginStart(), late]);
document.documentElement.dataset['known'] = String(isKnown());
(isKnown() ? loadConsole() : loadSignIn()).catch(() => undefined);
const root = document.querySelector('#root');
if (root !== null) show(root, isVisitor).catch(failIn(root));
