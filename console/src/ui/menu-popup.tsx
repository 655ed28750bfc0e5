import { Menu as BaseMenu } from '@base-ui/react/menu';
import type { ReactElement, ReactNode, RefObject } from 'react';
import { Link } from 'wouter';
import { classes } from './class-names';
import css from './ui.module.css';

interface MenuPopupProps {
  readonly button: RefObject<HTMLButtonElement | null>;
  readonly buttonId: string;
  readonly isOpen: boolean;
  readonly onOpen: (isOpen: boolean) => void;
  readonly children: ReactNode;
}

/** What a menu's button opens. */
export function MenuPopup({ button, buttonId, isOpen, onOpen, children }: MenuPopupProps): ReactElement {
  return (
    <BaseMenu.Root open={isOpen} onOpenChange={onOpen}>
      <BaseMenu.Portal>
        <BaseMenu.Positioner anchor={button} sideOffset={4} align="start">
          <BaseMenu.Popup className={classes(css.popup)} finalFocus={button} aria-labelledby={buttonId}>
            {children}
          </BaseMenu.Popup>
        </BaseMenu.Positioner>
      </BaseMenu.Portal>
    </BaseMenu.Root>
  );
}

interface MenuItemProps {
  readonly onSelect: () => void;
  readonly children: ReactNode;
  readonly disabled?: boolean;
}

export function MenuItem({ onSelect, children, disabled = false }: MenuItemProps): ReactElement {
  return (
    <BaseMenu.Item className={classes(css.item)} onClick={onSelect} disabled={disabled}>
      {children}
    </BaseMenu.Item>
  );
}

/** An item that leads to another page. */
export function MenuLink({ href, children }: { readonly href: string; readonly children: ReactNode }): ReactElement {
  return (
    <BaseMenu.LinkItem className={classes(css.item)} closeOnClick render={<Link href={href} />}>
      {children}
    </BaseMenu.LinkItem>
  );
}

interface MenuChoiceProps<Value extends string> {
  readonly label: string;
  readonly value: Value;
  readonly options: readonly { readonly value: Value; readonly label: ReactNode }[];
  readonly onValue: (value: Value) => void;
}

/** A choice of one inside a menu. */
export function MenuChoice<Value extends string>({
  label,
  value,
  options,
  onValue,
}: MenuChoiceProps<Value>): ReactElement {
  return (
    <BaseMenu.Group>
      <BaseMenu.GroupLabel className={classes(css.group)}>{label}</BaseMenu.GroupLabel>
      <BaseMenu.RadioGroup value={value} onValueChange={(next: Value) => onValue(next)}>
        {options.map((option) => (
          <BaseMenu.RadioItem key={option.value} value={option.value} closeOnClick className={classes(css.item)}>
            {option.label}
            <span className={css.spacer} />
            <BaseMenu.RadioItemIndicator>✓</BaseMenu.RadioItemIndicator>
          </BaseMenu.RadioItem>
        ))}
      </BaseMenu.RadioGroup>
    </BaseMenu.Group>
  );
}

export function MenuRule(): ReactElement {
  return <BaseMenu.Separator className={classes(css.rule)} />;
}
