import type { ReactElement, ReactNode } from 'react';

interface IconProps {
  readonly children: ReactNode;
  readonly strokeWidth?: number;
}

/** An icon of 16 px that is drawn in the colour of the text; words beside it say what it means. */
export function Icon({ children, strokeWidth = 1.5 }: IconProps): ReactElement {
  return (
    <svg
      width="16"
      height="16"
      viewBox="0 0 16 16"
      fill="none"
      stroke="currentColor"
      strokeWidth={strokeWidth}
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
    >
      {children}
    </svg>
  );
}

export const CheckIcon = (): ReactElement => (
  <Icon>
    <path d="m3.5 8.5 3 3 6-7" />
  </Icon>
);
export const CrossIcon = (): ReactElement => (
  <Icon>
    <path d="m4 4 8 8m0-8-8 8" />
  </Icon>
);
export const ChevronIcon = (): ReactElement => (
  <Icon>
    <path d="m5 6.5 3 3 3-3" />
  </Icon>
);
export const CopyIcon = (): ReactElement => (
  <Icon>
    <rect x="5.5" y="5.5" width="8" height="8" rx="1.5" />
    <path d="M10.5 5.5v-2a1 1 0 0 0-1-1h-6a1 1 0 0 0-1 1v6a1 1 0 0 0 1 1h2" />
  </Icon>
);
export const SearchIcon = (): ReactElement => (
  <Icon>
    <circle cx="7" cy="7" r="4.25" />
    <path d="m10.5 10.5 3 3" />
  </Icon>
);
export const HomeIcon = (): ReactElement => (
  <Icon>
    <path d="m2.5 7.5 5.5-5 5.5 5M4 6.5v7h8v-7" />
  </Icon>
);
export const LicenseIcon = (): ReactElement => (
  <Icon>
    <circle cx="5" cy="8" r="2.75" />
    <path d="M7.75 8h6M11 8v2.5M13.5 8v2" />
  </Icon>
);
export const ChartIcon = (): ReactElement => (
  <Icon>
    <path d="M2.5 13.5h11M4.5 11V8M8 11V4M11.5 11V6.5" />
  </Icon>
);
export const CalendarIcon = (): ReactElement => (
  <Icon>
    <rect x="2.5" y="3.5" width="11" height="10" rx="1.5" />
    <path d="M2.5 6.5h11M5.5 2v3M10.5 2v3" />
  </Icon>
);
export const BellIcon = (): ReactElement => (
  <Icon>
    <path d="M3.5 11.5h9c-1-1-1.25-2-1.25-4.25a3.25 3.25 0 0 0-6.5 0C4.75 9.5 4.5 10.5 3.5 11.5ZM6.75 13.5h2.5" />
  </Icon>
);
export const SettingsIcon = (): ReactElement => (
  <Icon>
    <path d="M2.5 5h6M12 5h1.5M2.5 11H4M7.5 11h6" />
    <circle cx="10.25" cy="5" r="1.75" />
    <circle cx="5.75" cy="11" r="1.75" />
  </Icon>
);
export const PersonIcon = (): ReactElement => (
  <Icon>
    <circle cx="8" cy="5.5" r="2.5" />
    <path d="M3 13.5c.5-2.5 2.5-3.75 5-3.75s4.5 1.25 5 3.75" />
  </Icon>
);
export const MoreIcon = (): ReactElement => (
  <Icon>
    <path d="M3.5 8h.01M8 8h.01M12.5 8h.01" strokeWidth="2" />
  </Icon>
);
export const PushIcon = (): ReactElement => (
  <Icon>
    <path d="M8 10.5v-8m-3 3 3-3 3 3M2.5 10.5v3h11v-3" />
  </Icon>
);
export const StarIcon = ({ isFilled }: { readonly isFilled: boolean }): ReactElement => (
  <Icon>
    <path
      d="m8 2.25 1.75 3.6 3.95.55-2.85 2.75.7 3.9L8 11.2l-3.55 1.85.7-3.9L2.3 6.4l3.95-.55Z"
      fill={isFilled ? 'currentColor' : 'none'}
    />
  </Icon>
);
/** The icons of `Status`. */
export const LiveIcon = (): ReactElement => (
  <Icon>
    <circle cx="8" cy="8" r="4.5" fill="currentColor" />
  </Icon>
);
export const MovingIcon = (): ReactElement => (
  <Icon>
    <circle cx="8" cy="8" r="5" />
    <path d="M8 8V3a5 5 0 0 1 5 5Z" fill="currentColor" />
  </Icon>
);
export const AttentionIcon = (): ReactElement => (
  <Icon>
    <circle cx="8" cy="8" r="5.5" />
    <path d="M8 5v3.5M8 11h.01" />
  </Icon>
);
export const DashIcon = (): ReactElement => (
  <Icon>
    <path d="M4.5 8h7" />
  </Icon>
);
