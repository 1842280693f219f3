export { type RowIdEvent, subscribeToAskedRows } from './asked-rows.ts'
export { compareByText, makeTextMatcher } from './by-text.ts'
export { Feed } from './feed.ts'
export {
  History,
  type HistoryLoad,
  type HistoryQuery,
  type HistoryView,
} from './history.ts'
export { type FetchResult, Journal } from './journal.ts'
export { type ListRow, type RowChange, type RowOptions, type RowPage, RowStore, type RowView } from './row-store.ts'
export type { HistoryChange, HistoryPage } from './stretch.ts'
