import type { Endpoint } from '../kit/endpoint.ts'
import { CheckUp } from './check-up.ts'

export const doctorEndpoints = {
  'GET /doctor': {
    summary: 'Look the installation over: database, files, machine, connections, queues, push, hosts, assumptions',
    description:
      'Asks every outside host that is used, for a few seconds at most. Findings are codes with parameters. Six times a minute for one person.',
    audience: 'admin',
    answer: CheckUp,
  },
} as const satisfies Record<string, Endpoint>
