/** What GitHub's own parser has against a workflow; [] when it takes it. */
export async function mistakesInWorkflow(text: string): Promise<readonly string[]> {
  const { convertWorkflowTemplate, NoOperationTraceWriter, parseWorkflow } = await import('@actions/workflow-parser');
  const { context, value } = parseWorkflow({ name: 'workflow.yaml', content: text }, new NoOperationTraceWriter());
  if (value !== undefined) await convertWorkflowTemplate(context, value);
  return context.errors.getErrors().map(({ message }) => message);
}

/** The same of an action.yml. */
export async function mistakesInAction(text: string): Promise<readonly string[]> {
  const { NoOperationTraceWriter } = await import('@actions/workflow-parser');
  const { parseAction } = await import('@actions/workflow-parser/actions/action-parser');
  const { context } = parseAction({ name: 'action.yml', content: text }, new NoOperationTraceWriter());
  return context.errors.getErrors().map(({ message }) => message);
}
