import { defineLatePart } from '@balcao/ui/parts'

export const ScheduleDialog = defineLatePart(() => import('./ScheduleDialog.tsx'))
