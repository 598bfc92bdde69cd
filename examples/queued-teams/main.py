"""A team whose GPUs Kueue counts on both ways; it writes the same bytes as main.ts."""
from cdk8s import ApiObject, ApiObjectMetadata, Chart, JsonPatch
from cdk8s_dra import (
    CanaryOptions,
    DeviceClass,
    DeviceMigration,
    DeviceQueue,
    DeviceRequest,
    DriverProfile,
    ExpandOptions,
    KubernetesTarget,
    KueueQuota,
    LegacyPath,
    MigrationPhase,
    NodeCount,
    NodeSelection,
    PlatformApp,
    QueuedPool,
    QueuedShare,
    ResourceClaimTemplate,
)

app = PlatformApp(kubernetes=KubernetesTarget.of("1.37"))
gpu = DriverProfile.custom(driver_name="gpu.example.com", family="gpu")

# dist/20-classes.yaml: the selection is here, since Kueue counts no request with a selector.
large = DeviceClass(Chart(app, "20-classes"), "a100-large", driver=gpu)

# dist/30-pools/a100.yaml: three nodes of one GPU each, selected by one label, since a flavor knows nothing else.
pools = Chart(app, "30-pools")
a100 = DeviceMigration(
    Chart(pools, "a100"),
    "a100",
    driver=gpu,
    device_classes=[large],
    nodes=NodeSelection.labels({"example.com/pool": "a100"}),
    legacy=LegacyPath.extended_resource("example.com/gpu"),
    phase=MigrationPhase.CANARY,  # Moving on is this line; the quota below moves with it.
    canary=CanaryOptions(nodes=NodeCount.absolute(1), namespaces=["vision"]),
    expand=ExpandOptions(steps=[NodeCount.percent(50), NodeCount.percent(100)], legacy_floor=NodeCount.absolute(1)),
)

# dist/40-queues.yaml: both ways of the pool, and what the team may hold of them together.
KueueQuota(
    Chart(app, "40-queues"),
    "gpus",
    pools=[QueuedPool(pool=a100, nodes=3, devices_per_node=1)],
    queues=[DeviceQueue(name="team", shares=[QueuedShare(pool=a100, devices=3)])],
)

# dist/50-team.yaml: jobs name the queue, and ask by template or by the old name.
team = Chart(app, "50-team", namespace="vision")
queue = ApiObject(team, "queue", api_version="kueue.x-k8s.io/v1beta2", kind="LocalQueue", metadata=ApiObjectMetadata(name="team"))
queue.add_json_patch(JsonPatch.add("/spec", {"clusterQueue": "team"}))
template = ResourceClaimTemplate(team, "gpu", requests=[DeviceRequest.exactly("gpu", device_class=large)])


def job(name: str, resources: dict, claims: dict) -> None:
    labels = {"kueue.x-k8s.io/queue-name": "team", "cdk8s-dra.dev/interruption": "safe"}
    made = ApiObject(team, name, api_version="batch/v1", kind="Job", metadata=ApiObjectMetadata(name=name, labels=labels))
    container = {"image": "registry.example.com/vision/work:1", "name": "work", "resources": resources}
    made.add_json_patch(JsonPatch.add("/spec", {"suspend": True, "template": {"spec": {"containers": [container], **claims, "restartPolicy": "Never"}}}))


# Requests beside limits: once a class serves the old name, Kueue counts requests only.
job("by-old-name", {"limits": {"example.com/gpu": "1"}, "requests": {"example.com/gpu": "1"}}, {})
job("by-claim", {"claims": [{"name": "gpu"}]}, {"resourceClaims": [{"name": "gpu", "resourceClaimTemplateName": template.resource_claim_template_name}]})

app.synth()
