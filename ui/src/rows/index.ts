export { type AskedEvent, askedOn } from './asked.ts'
export { byText, foundIn } from './by-text.ts'
export { Feed } from './feed.ts'
export {
  History,
  type HistoryLoad,
  type HistoryQuery,
  type HistoryView,
} from './history.ts'
export { type Came, Journal } from './journal.ts'
export { type ListRow, type RowChange, type RowMeans, type RowPage, RowStore, type RowView } from './row-store.ts'
export type { HistoryChange, HistoryPage } from './stretch.ts'
