export { ContactForm } from './ContactForm.tsx'
export { type About, ScheduleForm } from './ScheduleForm.tsx'
export { TagRow } from './TagRow.tsx'
