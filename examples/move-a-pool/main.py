"""A pool of GPUs on its way to DRA; it writes the same bytes as main.ts."""
from cdk8s import Chart, Cron, Duration
from cdk8s_dra import (
    CanaryOptions,
    ChangeRecord,
    DeadlineAction,
    DeviceClass,
    DeviceMigration,
    DriverProfile,
    ExpandOptions,
    Gate,
    HandoverOptions,
    HandoverWindow,
    KubernetesTarget,
    LegacyPath,
    MigrationPhase,
    NodeCount,
    NodeSelection,
    PlatformApp,
)

app = PlatformApp(kubernetes=KubernetesTarget.of("1.34"))
gpu = DriverProfile.nvidia_gpu(driver_version="0.4")

# dist/20-classes.yaml: what takes the place of nvidia.com/gpu.
classes = Chart(app, "20-classes")
large = DeviceClass(classes, "gpu-large", driver=gpu, selectors=[gpu.device_type.one_of("gpu"), gpu.memory.at_least("40Gi")])

# dist/30-pools/a100.yaml: the nodes that move, and how far they may go.
pools = Chart(app, "30-pools")
DeviceMigration(
    Chart(pools, "a100"),
    "a100",
    driver=gpu,
    device_classes=[large],
    nodes=NodeSelection.labels({"node.kubernetes.io/instance-type": "p4d.24xlarge"}),
    legacy=LegacyPath.extended_resource("nvidia.com/gpu"),
    phase=MigrationPhase.CANARY,  # Moving on is this line.
    canary=CanaryOptions(nodes=NodeCount.absolute(2), namespaces=["sandbox"]),
    expand=ExpandOptions(steps=[NodeCount.percent(10), NodeCount.percent(50), NodeCount.percent(90)], legacy_floor=NodeCount.absolute(1)),
    gates=[
        Gate.allocation_success(at_least=0.99, minimum_sample=200),
        Gate.capacity_converged(holds_for=Duration.minutes(30)),
        Gate.start_latency(at_most=1.5),
    ],
    handover=HandoverOptions(deadline=Duration.hours(72), on_deadline=DeadlineAction.HOLD),
    windows=[
        HandoverWindow(start=Cron.schedule(minute="0", hour="8", week_day="1-4"), duration=Duration.hours(8), time_zone="Europe/Amsterdam"),
    ],
    change=ChangeRecord(ticket="CHG-4711"),
)

app.synth()
