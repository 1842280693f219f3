export { compareByText, makeTextMatcher } from './by-text.ts'
export { Feed } from './feed.ts'
export { type RowIdEvent, subscribeToFetchedRows } from './fetched-rows.ts'
export {
  History,
  type HistoryLoad,
  type HistoryQuery,
  type HistoryView,
} from './history.ts'
export { Journal } from './journal.ts'
export { type ListView, type RowOptions, type RowPage, RowStore, type RowView } from './row-store.ts'
export { type ListRow, type RowChange, RowTable, type TableChange } from './row-table.ts'
export { Signals } from './signals.ts'
export type { HistoryChange, HistoryPage } from './stretch.ts'
