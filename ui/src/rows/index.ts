export { Feed } from './feed.ts'
export {
  History,
  type HistoryChange,
  type HistoryLoad,
  type HistoryPage,
  type HistoryQuery,
  type HistoryView,
} from './history.ts'
export { Journal } from './journal.ts'
export { type ListRow, type RowChange, type RowMeans, type RowPage, RowStore, type RowView } from './row-store.ts'
