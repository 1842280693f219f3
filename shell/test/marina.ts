import type { User } from '@balcao/contract'

export const MARINA: User = {
  ...{ id: 7, name: 'Marina', email: '', profile: 'admin', active: true, status: 'online', startTime: '', endTime: '' },
  ...{ weekdays: true, saturday: true, sunday: true, holidays: true, addContact: true, editContact: true },
  ...{ delContact: true, whatsappId: null, queues: [], queueIds: [], profilePicUrl: null, mustChangePassword: false },
  ...{ substitution: [], awaitingApproval: false, version: 1 },
}
