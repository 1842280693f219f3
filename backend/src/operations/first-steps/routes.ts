import type { Parts } from '../../policy/kit/parts.ts'
import { type Route, serve } from '../../policy/kit/serve.ts'
import { addPreset, removePreset } from './preset.ts'
import { changeFirstSteps, loadFirstSteps } from './steps.ts'

export function firstStepRoutes(parts: Parts): Route[] {
  return [
    serve('GET /first-steps', () => loadFirstSteps(parts.db)),
    serve('PUT /first-steps', ({ body }) => changeFirstSteps(parts.db, body)),
    serve('POST /first-steps/preset', ({ session, body }) => addPreset(parts, session, body.trade, body.language)),
    serve('DELETE /first-steps/preset', ({ session }) => removePreset(parts, session)),
  ]
}
