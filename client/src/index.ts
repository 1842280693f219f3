export {
  type Api,
  type ApiOptions,
  ask,
  type CallOptions,
  createApi,
  createOfflineError,
  type PreparedCall,
} from './api.ts'
export { ApiError, isApiError, toApiError } from './error.ts'
export { createLive, type Live, type LiveOptions, type LiveSocket, type LiveState, LONGEST_UNNOTICED } from './live.ts'
