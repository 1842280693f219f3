export { ApiError, type CallOptions, isApiError } from '@balcao/client'
export { api, askAhead, onSignedOut } from './client.ts'
export { onSessionRenewed, refreshToken, resumeSession } from './refresh.ts'
export { upload } from './upload.ts'
