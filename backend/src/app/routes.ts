// Every feature's calls.
import { connectionRoutes } from '../desk/connections/routes.ts'
import type { Parts } from '../policy/kit/parts.ts'
import type { Route } from '../policy/kit/serve.ts'
import { settingRoutes } from '../policy/settings/routes.ts'
import { endSends, followSettings } from './follow-changes.ts'
import * as features from './route-list.ts'

export function featureRoutes(parts: Parts): Route[] {
  return [
    ...Object.values(features).flatMap(make => make(parts)),
    ...connectionRoutes(parts, endSends),
    ...settingRoutes(parts, followSettings),
  ]
}
