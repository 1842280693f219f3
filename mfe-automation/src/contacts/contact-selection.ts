/** Contacts that something is done to: these, or all that a search finds; and how many they are, where that is known. */
export interface ContactSelection {
  readonly chosen: { readonly ids: number[] } | { readonly searchParam: string }
  readonly count: number | null
}
