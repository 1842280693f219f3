import './users-sheet.test.ts'
