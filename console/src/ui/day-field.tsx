import { Popover } from '@base-ui/react/popover';
import { useEffect, useRef, useState, type KeyboardEvent, type ReactElement } from 'react';
import { Button } from './button';
import { classes } from './class-names';
import { dayHere, daysLater, monthsLater, readDay, weeksOf } from './days';
import { Frame, useNaming, type Described } from './field';
import { day as dayInWords } from './format';
import { CalendarIcon } from './icons';
import css from './ui.module.css';

const MONTH = new Intl.DateTimeFormat(undefined, { month: 'long', year: 'numeric', timeZone: 'UTC' });
const WEEKDAY = new Intl.DateTimeFormat(undefined, { weekday: 'short', timeZone: 'UTC' });
const LONG_WEEKDAY = new Intl.DateTimeFormat(undefined, { weekday: 'long', timeZone: 'UTC' });

interface DayInput {
  /** Such as 2027-03-31; empty for none. */
  readonly value: string;
  readonly onValue: (day: string) => void;
  /** The last day that can be chosen. */
  readonly max?: string;
}

/** A field for a day, which is typed or chosen in a calendar. */
export function DayField({ label, hint, fault, ...input }: Described & DayInput): ReactElement {
  const [isUnreadable, setUnreadable] = useState(false);
  return (
    <Frame label={label} hint={hint} fault={fault ?? (isUnreadable ? 'must be a day such as 2027-03-31' : undefined)}>
      <DayControl {...input} isUnreadable={isUnreadable} onUnreadable={setUnreadable} />
    </Frame>
  );
}

interface DayControlProps extends DayInput {
  readonly isUnreadable: boolean;
  readonly onUnreadable: (isUnreadable: boolean) => void;
}

function DayControl({ value, onValue, max, isUnreadable, onUnreadable }: DayControlProps): ReactElement {
  const { control, labelId } = useNaming();
  const [isOpen, setOpen] = useState(false);
  /** What is typed and is no day yet; null where the value is shown. */
  const [typed, setTyped] = useState<string | null>(null);
  const take = (text: string): void => {
    const found = readDay(text);
    const isDay = found !== null && (max === undefined || found <= max);
    setTyped(isDay && found === text ? null : text);
    if (isDay || text === '') onUnreadable(false);
    const next = isDay ? found : '';
    if (next !== value) onValue(next);
  };
  const leave = (): void => {
    if (typed === null) return;
    const isDay = typed.trim() === '' || value !== '';
    onUnreadable(!isDay);
    if (isDay) setTyped(null);
  };
  return (
    <div className={css.day}>
      <input
        {...control}
        className={css.input}
        value={typed ?? value}
        placeholder="YYYY-MM-DD"
        autoComplete="off"
        data-unreadable={isUnreadable || (typed !== null && typed !== '' && value === '') || undefined}
        onChange={({ target }) => take(target.value)}
        onBlur={leave}
      />
      <Popover.Root open={isOpen} onOpenChange={setOpen}>
        <Popover.Trigger
          className={classes(css.button, css.quiet, css.icon)}
          aria-label="Calendar"
          aria-describedby={labelId}
        >
          <CalendarIcon />
        </Popover.Trigger>
        <Popover.Portal>
          <Popover.Positioner sideOffset={4} align="end">
            <Popover.Popup className={classes(css.popup)} aria-label="Calendar" initialFocus={false}>
              <Calendar
                chosen={value}
                max={max}
                onChoose={(chosen) => {
                  setTyped(null);
                  onUnreadable(false);
                  onValue(chosen);
                  setOpen(false);
                }}
              />
            </Popover.Popup>
          </Popover.Positioner>
        </Popover.Portal>
      </Popover.Root>
    </div>
  );
}

const MOVES: Readonly<Record<string, (day: string) => string>> = {
  ArrowLeft: (day) => daysLater(day, -1),
  ArrowRight: (day) => daysLater(day, 1),
  ArrowUp: (day) => daysLater(day, -7),
  ArrowDown: (day) => daysLater(day, 7),
  PageUp: (day) => monthsLater(day, -1),
  PageDown: (day) => monthsLater(day, 1),
};

/** The day on which a week begins where the reader is. */
function firstDayOfWeek(): number {
  const locale = new Intl.Locale(navigator.language) as Intl.Locale & { getWeekInfo?: () => { firstDay: number } };
  return locale.getWeekInfo?.().firstDay ?? 1;
}

interface CalendarProps {
  readonly chosen: string;
  readonly max: string | undefined;
  readonly onChoose: (day: string) => void;
}

/** A month; arrows move by a day and a week, Page Up and Page Down by a month. */
function Calendar({ chosen, max, onChoose }: CalendarProps): ReactElement {
  const today = dayHere(new Date());
  const [at, setAt] = useState(chosen === '' ? (max ?? today) : chosen);
  // A day that cannot be chosen cannot have the focus.
  const go = (day: string): void => setAt(max !== undefined && day > max ? max : day);
  const grid = useRef<HTMLTableElement>(null);
  const isMoved = useRef(true);
  useEffect(() => {
    if (isMoved.current) grid.current?.querySelector<HTMLElement>('[tabindex="0"]')?.focus();
    isMoved.current = false;
  }, [at]);
  const move = (event: KeyboardEvent): void => {
    const next = MOVES[event.key]?.(at);
    if (next === undefined) return;
    event.preventDefault();
    isMoved.current = true;
    go(next);
  };
  const weeks = weeksOf(at, firstDayOfWeek());
  return (
    <div className={css.calendar}>
      <div className={css.month}>
        <Button kind="quiet" label="Month before" onClick={() => go(monthsLater(at, -1))}>
          ‹
        </Button>
        <strong aria-live="polite">{MONTH.format(new Date(at))}</strong>
        <Button kind="quiet" label="Month after" onClick={() => go(monthsLater(at, 1))}>
          ›
        </Button>
      </div>
      <table ref={grid} role="grid" aria-label={MONTH.format(new Date(at))} onKeyDown={move}>
        <thead>
          <tr>
            {weeks[0]?.map((each) => (
              <th key={each} scope="col" abbr={LONG_WEEKDAY.format(new Date(each))}>
                {WEEKDAY.format(new Date(each))}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {weeks.map((week) => (
            <tr key={week[0]}>
              {week.map((each) => (
                <td key={each} aria-selected={each === chosen}>
                  <button
                    type="button"
                    tabIndex={each === at ? 0 : -1}
                    disabled={max !== undefined && each > max}
                    aria-label={dayInWords(each)}
                    aria-current={each === today ? 'date' : undefined}
                    data-outside={each.slice(0, 7) !== at.slice(0, 7) || undefined}
                    onClick={() => onChoose(each)}
                  >
                    {Number(each.slice(8))}
                  </button>
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
