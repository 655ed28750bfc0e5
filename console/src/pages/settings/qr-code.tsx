import { encode } from 'uqr';
import type { ReactElement } from 'react';
import css from './settings.module.css';

/** Dark on light in both colour schemes, with the margin of four that readers want. */
const MARGIN = 4;

/** A QR code, drawn here: what it says never leaves the page. */
export function QrCode({ text, label }: { readonly text: string; readonly label: string }): ReactElement {
  const { data, size } = encode(text, { border: MARGIN, ecc: 'M' });
  const path = data.flatMap((row, y) => row.map((dark, x) => (dark ? `M${x} ${y}h1v1h-1z` : ''))).join('');
  return (
    <svg viewBox={`0 0 ${size} ${size}`} className={css.qr} role="img" aria-label={label} shapeRendering="crispEdges">
      <path d={path} fill="#000000" />
    </svg>
  );
}
