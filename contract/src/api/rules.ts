// What the fields of a token must be, for page and server.
import { type FieldRule, makeNameRule, makeWholeNumberRule } from '../kit/forms.ts'
import { LIMITS } from '../kit/limits.ts'
import { API_SCOPES, type ApiScope } from './token.ts'

export const apiTokenRules = {
  name: makeNameRule(LIMITS.apiTokenName),
  scopes: checkScopes,
  perMinute: makeWholeNumberRule(LIMITS.apiTokenPerMinute),
}

function checkScopes(value: unknown): ReturnType<FieldRule<ApiScope[]>> {
  const scopes = API_SCOPES.filter(scope => Array.isArray(value) && value.includes(scope))
  return { value: scopes, fault: scopes.length === 0 ? 'apiToken.scopes' : null }
}
