import type { ReactElement } from 'react';
import { Link } from 'wouter';

/** The address of a buyer, which leads to everything that the service has of them. */
export const BuyerLink = ({ address }: { readonly address: string }): ReactElement => (
  <Link href={`/customers?${new URLSearchParams({ address }).toString()}`}>
    <bdi>{address}</bdi>
  </Link>
);
