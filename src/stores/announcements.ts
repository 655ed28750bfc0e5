/** Where a store announces that something about an item has changed. */
export interface AnnouncementAddress {
  /** `https://…` */
  readonly url: string;
  /** Signs each announcement. */
  readonly secret: string;
  /** The store's id of the webhook, as far as it is known. */
  readonly webhookId: string | null;
}

/** A request as it arrived, whose signature covers exactly these bytes. */
export interface SignedAnnouncement {
  /** By their names in lower case. */
  readonly headers: Readonly<Record<string, readonly string[] | undefined>>;
  readonly body: Buffer;
}
