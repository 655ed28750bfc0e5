/** Steps of a person at a store before Pierhead can publish there. */
export interface StoreGuide {
  /** In the order in which the person carries them out. */
  readonly steps: readonly GuideStep[];
  /** Other pages that are of use. */
  readonly links: readonly GuideLink[];
  readonly item: ItemForm;
}

/** One thing to do, in a short sentence, and the page where it is done. */
export interface GuideStep {
  readonly text: string;
  readonly url: string;
}

export interface GuideLink {
  readonly title: string;
  readonly url: string;
}

/** A person's ways to name the item of a target. */
export interface ItemForm {
  readonly fields: readonly ItemField[];
  /** Patterns of the item's URLs. Their named groups are what a URL names: `storeItemId`, `crxId`, `slug`, or a field of the credentials. */
  readonly urls: readonly RegExp[];
}

/** An id of the item, as a target keeps it. */
export interface ItemField {
  readonly name: 'storeItemId' | 'crxId';
  readonly title: string;
  readonly how: string;
  readonly isRequired: boolean;
  readonly pattern: RegExp;
}
