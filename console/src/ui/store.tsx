import type { ReactElement } from 'react';
import { Icon } from './icons';
import { STORES, type StoreId } from './names';
import css from './ui.module.css';

/** Marks of the stores by their id, drawn for the console in the style of its other icons. */
const STORE_MARKS: Readonly<Record<StoreId, ReactElement>> = {
  chrome: (
    <>
      <circle cx="8" cy="8" r="6" />
      <circle cx="8" cy="8" r="2.5" fill="currentColor" fillOpacity="0.25" />
      <path d="M8 5.5h5.45M10.17 9.25l-2.73 4.72M5.83 9.25 3.11 4.53" />
    </>
  ),
  firefox: (
    <>
      <path d="M13.2 5.1c.5.9.8 1.9.8 2.9A6 6 0 0 1 2 8c0-1.9.8-3.4 1.5-4.3.1.9.5 1.5 1.1 1.9C5 3.9 6.2 2.5 8 2c-.2 1 .3 1.7 1.3 2.3 1.3.8 1.9 1.7 1.9 2.9.7-.5 1.5-1.2 2-2.1Z" />
      <circle cx="7.75" cy="9" r="2" fill="currentColor" fillOpacity="0.25" />
    </>
  ),
  edge: (
    <>
      <path d="M2.1 9.2C1.7 5 4.5 2 8.1 2 11.5 2 14 4.4 14 7.2c0 2-1.4 3.2-3.2 3.2-1.3 0-2.1-.5-2.1-1.2 0-.5.5-.8.5-1.7 0-1.1-1.1-2-2.6-2-2.5 0-4.4 1.9-4.5 3.7a6 6 0 0 0 11 2.1" />
      <path d="M6.3 5.6C4.9 6.9 4.3 8.6 4.9 10.4c.7 2.1 2.6 3.5 4.8 3.3" />
    </>
  ),
  safari: (
    <>
      <circle cx="8" cy="8" r="6" />
      <path d="M11 5 9.1 9.1 5 11l1.9-4.1Z" fill="currentColor" fillOpacity="0.25" />
    </>
  ),
};

/** The mark of a store, beside its name or where its column names it. */
export const StoreIcon = ({ store }: { readonly store: StoreId }): ReactElement => (
  <Icon strokeWidth={1.25}>{STORE_MARKS[store]}</Icon>
);

/** A store by its mark and its short name. */
export const StoreName = ({ store }: { readonly store: StoreId }): ReactElement => (
  <span className={css.store}>
    <StoreIcon store={store} />
    {STORES[store]}
  </span>
);

/** Whether an id of a provider is that of a store. */
export const isStore = (id: string): id is StoreId => id in STORES;
