export { type Api, type ApiMeans, ask, type CallOptions, createApi, offline, type Prepared } from './api.ts'
export { ApiError, errorOf, isApiError } from './error.ts'
export { createLive, type Live, type LiveOptions, type LiveSocket, type LiveState, LONGEST_UNNOTICED } from './live.ts'
