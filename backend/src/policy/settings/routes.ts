import type { Parts } from '../kit/parts.ts'
import { type Route, serve, serveRead } from '../kit/serve.ts'
import { changeSetting, changeSettings, type SettingsChangeHook } from './change.ts'
import { listSettings } from './list.ts'
import { previewSetting } from './preview.ts'

/** `alsoChange`: what follows a change in features that come after the settings. */
export function settingRoutes(parts: Parts, alsoChange: SettingsChangeHook): Route[] {
  return [
    serveRead('GET /settings', ({ session }) => listSettings(parts.db, session)),
    serve('PUT /settings', ({ session, body }) =>
      changeSettings(parts, session, body.values, body.versions, alsoChange),
    ),
    serve('PUT /settings/:key', ({ session, params, body }) =>
      changeSetting(parts, session, params.key, body, alsoChange),
    ),
    serve('POST /settings/:key/preview', ({ session, params, body }) =>
      previewSetting(parts.db, session, params.key, body.value),
    ),
  ]
}
