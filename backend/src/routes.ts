// Every feature's calls.
import { connectionRoutes } from './connections/routes.ts'
import { endSends, followSettings } from './follow-changes.ts'
import type { Route } from './http/serve.ts'
import type { Parts } from './parts.ts'
import * as features from './route-list.ts'
import { settingRoutes } from './settings/routes.ts'

export function featureRoutes(parts: Parts): Route[] {
  return [
    ...Object.values(features).flatMap(make => make(parts)),
    ...connectionRoutes(parts, endSends),
    ...settingRoutes(parts, followSettings),
  ]
}
