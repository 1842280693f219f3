import { late } from '@balcao/ui/parts'

export const ScheduleDialog = late(() => import('./ScheduleDialog.tsx'))
