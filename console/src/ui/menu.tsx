import { lazy, Suspense, useId, useRef, useState, type KeyboardEvent, type ReactElement, type ReactNode } from 'react';
import { PAGE_NOT_LOADED } from '../api/problem';
import { announce } from './announce';
import { classes } from './class-names';
import css from './ui.module.css';

type Parts = typeof import('./menu-popup');

/** Loads what opens once somebody is about to open it: a third of what the first page would load otherwise. */
const load = (): Promise<Parts> => import('./menu-popup');
const preload = (): void => void load().catch(() => undefined);

const MenuPopup = lazy(() => load().then((parts) => ({ default: parts.MenuPopup })));
export const MenuItem = lazy(() => load().then((parts) => ({ default: parts.MenuItem })));
export const MenuLink = lazy(() => load().then((parts) => ({ default: parts.MenuLink })));
export const MenuRule = lazy(() => load().then((parts) => ({ default: parts.MenuRule })));
// A lazy component forgets the type parameter.
export const MenuChoice = lazy(() =>
  load().then((parts) => ({ default: parts.MenuChoice })),
) as unknown as Parts['MenuChoice'];

interface MenuProps {
  /** Content of the button that opens it. */
  readonly trigger: ReactNode;
  /** Name of the trigger, where its content has no words. */
  readonly label?: string;
  readonly triggerClassName?: string | undefined;
  readonly children: ReactNode;
}

/** A button with a menu. */
export function Menu({ trigger, label, triggerClassName, children }: MenuProps): ReactElement {
  const id = useId();
  const button = useRef<HTMLButtonElement>(null);
  const [isOpen, setOpen] = useState(false);
  const [isUsed, setUsed] = useState(false);
  const open = (): void =>
    void load().then(
      () => {
        setUsed(true);
        setOpen(true);
      },
      () => announce(PAGE_NOT_LOADED.detail),
    );
  const openByArrow = (event: KeyboardEvent): void => {
    if (!['ArrowDown', 'ArrowUp'].includes(event.key)) return;
    event.preventDefault();
    open();
  };
  return (
    <>
      <button
        ref={button}
        id={id}
        type="button"
        aria-label={label}
        aria-haspopup="menu"
        aria-expanded={isOpen}
        className={triggerClassName ?? classes(css.button, css.quiet)}
        onPointerEnter={preload}
        onFocus={preload}
        onClick={isOpen ? () => setOpen(false) : open}
        onKeyDown={openByArrow}
      >
        {trigger}
      </button>
      {isUsed && (
        <Suspense>
          <MenuPopup button={button} buttonId={id} isOpen={isOpen} onOpen={setOpen}>
            {children}
          </MenuPopup>
        </Suspense>
      )}
    </>
  );
}
