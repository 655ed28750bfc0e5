import { useDeferredValue, useEffect, useId, useState, type KeyboardEvent, type ReactElement } from 'react';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useLocation } from 'wouter';
import { answer, api, asProblem, type Schemas } from '../api';
import { Dialog, ProblemNote, SearchIcon, STORES } from '../ui';
import { hitHref } from './hit-href';
import css from './frame.module.css';

type SearchHit = Schemas['SearchHit'];

const KINDS: Readonly<Record<SearchHit['kind'], string>> = {
  extension: 'Extension',
  version: 'Version',
  item: 'Store item',
  license: 'License',
  sale: 'Sale without a license',
};

const detailOf = ({ kind, detail, extensionName, store }: SearchHit): string =>
  [KINDS[kind], store === null ? null : STORES[store], detail, kind === 'extension' ? null : extensionName]
    .filter((part) => part !== null)
    .join(' · ');

/** Whether a key press is meant for what has the focus. */
const isTyping = ({ target }: globalThis.KeyboardEvent): boolean =>
  target instanceof HTMLElement && target.closest('input, textarea, select, [contenteditable], [role=dialog]') !== null;

/** The field and what was found: arrows choose, Enter opens. What is typed is sent in a body, since it may be a code. */
function SearchField({ onClose }: { readonly onClose: () => void }): ReactElement {
  const [, navigate] = useLocation();
  const [text, setText] = useState('');
  const [selected, setSelected] = useState(0);
  const list = useId();
  const wanted = useDeferredValue(text.trim());
  const { data, error, isFetching } = useQuery({
    queryKey: ['search', wanted],
    enabled: wanted !== '',
    placeholderData: keepPreviousData,
    // A code or an address stays in memory no longer than it is shown.
    gcTime: 0,
    queryFn: ({ signal }) => answer(api.POST('/api/v1/search', { body: { text: wanted }, signal })),
  });
  const items = wanted === '' ? [] : (data?.items ?? []);
  // The results of what was typed since may be fewer.
  const active = Math.min(selected, Math.max(items.length - 1, 0));
  const open = (found: SearchHit | undefined): void => {
    if (found === undefined) return;
    onClose();
    navigate(hitHref(found));
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (event.key === 'Enter') open(items[active]);
    else if (step !== undefined && items.length > 0) setSelected((active + step + items.length) % items.length);
    else return;
    event.preventDefault();
  };
  return (
    <>
      <input
        className={css.searchField}
        role="combobox"
        aria-label="Search"
        aria-expanded={items.length > 0}
        aria-controls={list}
        aria-autocomplete="list"
        aria-activedescendant={items.length > 0 ? `${list}-${active}` : undefined}
        placeholder="Extension, version, code, mail, name or order"
        autoComplete="off"
        spellCheck={false}
        maxLength={320}
        value={text}
        onChange={(event) => {
          setText(event.target.value);
          setSelected(0);
        }}
        onKeyDown={onKeyDown}
      />
      <ul id={list} role="listbox" aria-label="Found" className={css.found}>
        {items.map((found, at) => (
          <li
            key={`${found.kind} ${found.id}`}
            id={`${list}-${at}`}
            role="option"
            aria-selected={at === active}
            onMouseDown={(event) => event.preventDefault()}
            onClick={() => open(found)}
          >
            <span>{found.title}</span>
            <span className={css.foundDetail}>{detailOf(found)}</span>
          </li>
        ))}
      </ul>
      <p role="status" className={css.foundDetail}>
        {wanted !== '' &&
          items.length === 0 &&
          !isFetching &&
          error === null &&
          'Nothing found. Addresses, their domains, the words of names, orders and the ends of codes are found by how they begin.'}
      </p>
      {error !== null && <ProblemNote problem={asProblem(error)} />}
    </>
  );
}

/** Searches everything. `/` and Ctrl-K open it from anywhere. */
export function Search(): ReactElement {
  const [isOpen, setOpen] = useState(false);
  useEffect(() => {
    const onKey = (event: globalThis.KeyboardEvent): void => {
      const isSlash = event.key === '/' && !event.ctrlKey && !event.metaKey && !event.altKey && !isTyping(event);
      const isK = event.key.toLowerCase() === 'k' && (event.ctrlKey || event.metaKey);
      if (!isSlash && !isK) return;
      event.preventDefault();
      setOpen(true);
    };
    window.addEventListener('keydown', onKey);
    return () => window.removeEventListener('keydown', onKey);
  }, []);
  return (
    <>
      <button type="button" className={css.search} onClick={() => setOpen(true)} aria-keyshortcuts="/ Control+K">
        <SearchIcon />
        <span className={css.name}>Search</span>
        <kbd aria-hidden>/</kbd>
      </button>
      <Dialog title="Search" isOpen={isOpen} onClose={() => setOpen(false)}>
        <SearchField onClose={() => setOpen(false)} />
      </Dialog>
    </>
  );
}
