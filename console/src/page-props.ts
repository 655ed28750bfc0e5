/** Properties of a page: the parameters of its path. */
export interface PageProps {
  readonly params: Readonly<Record<string, string>>;
}
