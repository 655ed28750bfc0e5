/** Parts of a search result that lead to its page. */
interface SearchHit {
  readonly kind: 'extension' | 'version' | 'item' | 'license' | 'sale';
  readonly id: string;
  /** Null for a sale. */
  readonly extensionId: string | null;
  readonly title: string;
}

/** The page of the console that shows a search result. */
export function hitHref({ kind, id, extensionId, title }: SearchHit): string {
  switch (kind) {
    case 'extension':
      return `/extensions/${extensionId}`;
    case 'version':
      return `/extensions/${extensionId}/versions/${encodeURIComponent(title)}`;
    case 'item':
      return `/extensions/${extensionId}/targets/${id}`;
    case 'license':
      return `/licenses/${id}`;
    case 'sale':
      return `/orders/${id}`;
  }
}
