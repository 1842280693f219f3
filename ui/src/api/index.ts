export { api, type CallOptions, onSignedOut } from './client.ts'
export { ApiError, isApiError } from './error.ts'
export { onRefreshed, refreshToken, resumeSession } from './refresh.ts'
export { upload } from './upload.ts'
